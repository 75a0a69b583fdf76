interface Scrolled {
  scrollLeft: number
  scrollWidth: number
  clientWidth: number
}

/** A pixel of rounding does not count as more. */
export function hiddenEdges({ scrollLeft, scrollWidth, clientWidth }: Scrolled) {
  return { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 }
}
