import { useEffect, useRef } from 'react'
import { useLiveContext } from '../live/live.tsx'

/** Minimum time between two flashes: data may arrive four times a second. */
const flashGapMs = 8_000
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
 * Flashes when new data arrives: on in the frame that draws the data, off in a later one. An animation would
 * look softer, but costs seven frames.
 */
export function LiveLogo() {
  const { connection } = useLiveContext()
  const frame = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    let flashedAt = -Infinity
    let shown = connection.get().dataChangedAt
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = connection.subscribe(() => {
      const { status, dataChangedAt } = connection.get()
      if (dataChangedAt === undefined || dataChangedAt === shown) return
      shown = dataChangedAt
      if (status !== 'connected' || dataChangedAt - flashedAt < flashGapMs) return
      flashedAt = dataChangedAt
      if (isStill()) return
      frame.current?.toggleAttribute('data-flash', true)
      timer = setTimeout(() => frame.current?.toggleAttribute('data-flash', false), flashMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [connection])

  return (
    <span ref={frame} data-testid="logo" className="logo-flash inline-flex">
      <LogoMark />
    </span>
  )
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches
