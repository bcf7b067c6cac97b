; Volatile accesses of odd widths are made in pieces.
define void @bits(ptr %p) {
  %x = load volatile i24, ptr %p
  %y = add i24 %x, 1
  store volatile i24 %y, ptr %p
  ret void
}
