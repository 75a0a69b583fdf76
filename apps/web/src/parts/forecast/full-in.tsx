import type { Forecast } from '@pulse/contract'
import { memo } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import { Amount, NumberCell } from '../cells/cells.tsx'
import { forecastNote, fullInParts, isNear } from './words.ts'

/** Days change slowly. */
const tickMs = 60_000

interface FullInProps {
  forecast: Forecast | undefined
  /** an alert about it is active */
  alerting?: boolean
}

/** '12 days'. Neutral unless an alert is active, because its threshold decides what is soon. */
export const FullIn = memo(function FullIn({ forecast, alerting = false }: FullInProps) {
  const text = useNow(tickMs, (now) => {
    const { figure, unit } = fullInParts(forecast, now)
    return `${figure}\n${unit}`
  })
  const note = useNow(tickMs, (now) => forecastNote(forecast, now))
  const [figure = '', unit = ''] = text.split('\n')
  return (
    <span className={cx(alerting && 'font-medium text-yellow')} {...tip(note, 240)}>
      <Amount figure={figure} unit={unit} />
    </span>
  )
})

/** The same in a cell. It renders only when its forecast changes, not with its row. */
export const FullInCell = memo(function FullInCell(props: FullInProps & { className?: string | undefined }) {
  const { className, ...shown } = props
  return (
    <NumberCell className={className}>
      <FullIn {...shown} />
    </NumberCell>
  )
})

/** For the two lines of a phone: 'full in 12 days'. */
export const FullInFact = ({ forecast, alerting = false }: FullInProps) => (
  <span className={cx(alerting && 'font-medium text-yellow')}>
    full in <FullIn forecast={forecast} />
  </span>
)

interface FullInTextProps extends FullInProps {
  /** which one of several */
  fileSystem?: string | undefined
}

/** '12 days · /srv · between 9 and 17 days, from the last 14 days', for opened rows. */
export function FullInText({ forecast, fileSystem }: FullInTextProps) {
  const note = useNow(tickMs, (now) => forecastNote(forecast, now))
  if (forecast?.fullAt === undefined) return note
  const about = [fileSystem, lowerFirst(note)].filter((one) => one !== undefined)
  return (
    <>
      <FullIn forecast={forecast} />
      <span className="text-ink-2"> · {about.join(' · ')}</span>
    </>
  )
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)

export const useNear = (forecast: Forecast | undefined): boolean =>
  useNow(tickMs, (now) => isNear(forecast, now))
