import { formatMoment, formatRelative } from '../lib/format.ts'
import { toneOf } from '../lib/tones.ts'
import { useNow } from '../lib/use-now.ts'
import { toneText } from '../ui/tone-class.ts'
import { tip } from '../ui/tooltip.tsx'
import { TICK_MS } from './cells.tsx'

interface MomentProps {
  /** epoch ms */
  at: number
  /** how long ago instead of when; the other form is in its tooltip */
  relative: boolean
}

/** When a backup was made, in the colour of its age. */
export function BackupTime(props: MomentProps) {
  const tone = useNow(TICK_MS, (now) => toneOf('backupAge', Math.max(0, now - props.at) / 1000))
  return (
    <span className={toneText[tone]}>
      <Moment {...props} />
    </span>
  )
}

export function Moment({ at, relative }: MomentProps) {
  const age = useNow(TICK_MS, (now) => formatRelative(at, now))
  const moment = formatMoment(at)
  return (
    <time dateTime={new Date(at).toISOString()} {...tip(relative ? moment : age)}>
      {relative ? age : moment}
    </time>
  )
}
