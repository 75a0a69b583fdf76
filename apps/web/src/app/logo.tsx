import { useEffect, useRef } from 'react'
import { useLiveContext } from '../live/live.tsx'

/** Fresh data can come four times a second; the logo flashes at most this often. */
const flashGapMs = 8_000
const rest = { opacity: 1, transform: 'scale(1)' }
const flash: Keyframe[] = [rest, { offset: 0.3, opacity: 0.55, transform: 'scale(1.08)' }, rest]
const flashMs = 400

export function LogoMark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" width={size} height={size} className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
      <path
        d="M5 17h5.2l3-8 5.6 15 3.4-9.5 1.2 2.5H27"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/**
 * Flashes when connected and fresh data has just arrived. The compositor does it alone: no class changes and nobody
 * listens for its end, for each of them would be a frame.
 */
export function LiveLogo() {
  const { connection } = useLiveContext()
  const frame = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    let flashedAt = -Infinity
    let shown = connection.get().freshAt
    return connection.subscribe(() => {
      const { status, freshAt } = connection.get()
      if (freshAt === undefined || freshAt === shown) return
      shown = freshAt
      if (status !== 'connected' || freshAt - flashedAt < flashGapMs) return
      flashedAt = freshAt
      if (!isStill()) frame.current?.animate(flash, { duration: flashMs, easing: 'ease-out' })
    })
  }, [connection])

  return (
    <span ref={frame} data-testid="logo" className="logo-flash inline-flex">
      <LogoMark />
    </span>
  )
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches
