import { isDatedAhead } from '@pulse/domain'
import { formatMoment, formatRelative } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { useNow } from '../../lib/use-now.ts'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { TICK_MS } from './cells.tsx'

interface MomentProps {
  /** epoch ms */
  at: number
  /** shows the age instead of the date; the tooltip has the other form */
  relative: boolean
}

/** The time of a backup, coloured by its age. A future date has no colour. */
export function BackupTime(props: MomentProps) {
  const tone = useNow(TICK_MS, (now) =>
    isDatedAhead(props.at, now) ? undefined : toneOf('backupAge', Math.max(0, now - props.at) / 1000),
  )
  return (
    <span className={tone && toneText[tone]}>
      <Moment {...props} />
    </span>
  )
}

export function Moment({ at, relative }: MomentProps) {
  const age = useNow(TICK_MS, (now) => (isDatedAhead(at, now) ? undefined : formatRelative(at, now)))
  const moment = formatMoment(at)
  const isAge = relative && age !== undefined
  return (
    <time dateTime={new Date(at).toISOString()} {...tip(isAge ? moment : age)}>
      {isAge ? age : moment}
    </time>
  )
}
