/** The meaning of a colour; `neutral` has none. */
export type Tone = 'neutral' | 'green' | 'yellow' | 'orange' | 'red'

/** The tone applies at this value and up (`at`), or only above it (`above`). The first match wins. */
interface Step {
  at?: number
  above?: number
  tone: Tone
}

const MB = 1024 * 1024
const GB = 1024 * MB
/** seconds */
const DAY = 86_400

/**
 * Every colour threshold of the product, highest first. Values below the first step are normal and have no
 * colour. Percent, degrees Celsius, bytes per second, seconds.
 */
export const toneSteps = {
  cpu: [
    { at: 90, tone: 'red' },
    { at: 80, tone: 'yellow' },
  ],
  memory: [
    { at: 85, tone: 'red' },
    { at: 75, tone: 'yellow' },
  ],
  disk: [
    { at: 90, tone: 'red' },
    { at: 80, tone: 'yellow' },
  ],
  generic: [
    { at: 90, tone: 'red' },
    { at: 75, tone: 'yellow' },
  ],
  nodeTemperature: [
    { at: 80, tone: 'red' },
    { at: 70, tone: 'yellow' },
  ],
  diskTemperature: [
    { above: 70, tone: 'red' },
    { above: 60, tone: 'yellow' },
  ],
  /** percent that remains */
  ssdLife: [
    { at: 50, tone: 'green' },
    { at: 20, tone: 'yellow' },
    { at: 10, tone: 'orange' },
    { at: 0, tone: 'red' },
  ],
  rate: [
    { at: 50 * MB, tone: 'red' },
    { at: 10 * MB, tone: 'yellow' },
    { at: MB, tone: 'green' },
    { at: 0, tone: 'neutral' },
  ],
  uptime: [
    { at: 3600, tone: 'neutral' },
    { above: 0, tone: 'orange' },
  ],
  backupAge: [
    { at: 30 * DAY, tone: 'red' },
    { at: 7 * DAY, tone: 'orange' },
    { at: 3 * DAY, tone: 'yellow' },
    { at: 0, tone: 'green' },
  ],
  backupSize: [
    { at: 50 * GB, tone: 'red' },
    { at: 20 * GB, tone: 'orange' },
    { at: 5 * GB, tone: 'yellow' },
    { at: 0, tone: 'green' },
  ],
} as const satisfies Record<string, readonly Step[]>

export type ToneScale = keyof typeof toneSteps

export function toneOf(scale: ToneScale, value: number | null | undefined): Tone {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'neutral'
  // a loop without allocations, because it runs for every guest of every update
  for (const { at, above, tone } of toneSteps[scale] as readonly Step[]) {
    if (at !== undefined ? value >= at : value > above!) return tone
  }
  return 'neutral'
}
