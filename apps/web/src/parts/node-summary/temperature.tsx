import { formatTemperature } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'

/** Coloured from where it is too warm; what is old has no colour. */
export function Temperature({ value, stale }: { value: number; stale: boolean }) {
  const tone = stale ? 'neutral' : toneOf('nodeTemperature', value)
  const warm = tone === 'red' || tone === 'yellow'
  return <span className={cx(warm && `font-medium ${toneText[tone]}`)}>{formatTemperature(value)}</span>
}
