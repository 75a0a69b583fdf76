interface Box {
  left: number
  top: number
  width: number
  height: number
}

interface Placement {
  side: 'top' | 'bottom'
  align: 'start' | 'center' | 'end'
}

const gap = 6
const margin = 8

/** Where a floating box goes: beside its anchor, on the other side when there is no room, always inside the window. */
export function place(
  anchor: Box,
  size: { width: number; height: number },
  viewport: { width: number; height: number },
  { side, align }: Placement,
): { left: number; top: number } {
  const above = anchor.top - gap - size.height
  const below = anchor.top + anchor.height + gap
  const fitsAbove = above >= margin
  const fitsBelow = below + size.height <= viewport.height - margin
  const onTop = side === 'top' ? fitsAbove || !fitsBelow : !fitsBelow && fitsAbove
  const wanted = {
    start: anchor.left,
    center: anchor.left + anchor.width / 2 - size.width / 2,
    end: anchor.left + anchor.width - size.width,
  }[align]
  const left = Math.max(margin, Math.min(wanted, viewport.width - margin - size.width))
  return { left: Math.round(left), top: Math.round(Math.max(margin, onTop ? above : below)) }
}
