import type { DiscoveryEnvironment, DiscoveryProgress } from '@pulse/contract'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { autoNote } from './use-discovery.ts'

interface ScanProgressProps {
  progress: DiscoveryProgress | undefined
  isAuto: boolean
}

export function ScanProgress({ progress, isAuto }: ScanProgressProps) {
  return (
    <div className="flex flex-col gap-2 border-t border-line first:border-t-0 px-4 py-3 text-table">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">Scanning the network...</span>
        {progress && <span className="text-ink-2 tabular-nums">{progressText(progress)}</span>}
      </p>
      <ProgressBar label="Discovery scan" percent={progress?.percentage} />
      <p className="text-xs text-ink-2">{isAuto ? autoNote : 'A scan can take up to a minute.'}</p>
    </div>
  )
}

const progressText = (progress: DiscoveryProgress) =>
  [
    progress.total_phases > 1 && `Phase ${progress.phase_number} of ${progress.total_phases}`,
    `${progress.total_processed} of ${progress.total_targets} addresses`,
    `${progress.servers_found} found`,
  ]
    .filter(Boolean)
    .join(' · ')

interface DiscoveryErrorsProps {
  errors: readonly string[]
  isAuto: boolean
}

const mostShown = 5

export function DiscoveryErrors({ errors, isAuto }: DiscoveryErrorsProps) {
  if (errors.length === 0) return null
  const shown = errors.slice(0, mostShown)
  const timedOut = errors.some((error) => /time(d )?[- ]?out|time limit|deadline/i.test(error))
  return (
    <div className="border-t border-line first:border-t-0 p-4">
      <Notice tone="yellow" title="The last scan had problems">
        <ul className="list-disc pl-4">
          {shown.map((error, index) => (
            <li key={`${index} ${error}`}>{error}</li>
          ))}
        </ul>
        {errors.length > mostShown && <p>{`+${errors.length - mostShown} more`}</p>}
        {timedOut && isAuto && (
          <p className="mt-1">
            Large networks can take longer than auto discovery waits. Choose a custom subnet under System to
            scan only that.
          </p>
        )}
      </Notice>
    </div>
  )
}

/** Parts that the last scan skipped, and why. If it skipped everything, its errors explain that. */
export function DiscoveryWarnings({ environment }: { environment: DiscoveryEnvironment | null }) {
  if (!environment || environment.phases.length === 0 || environment.warnings.length === 0) return null
  return (
    <div className="border-t border-line first:border-t-0 p-4">
      <Notice tone="yellow" title="Not everything is scanned">
        <ul className="list-disc pl-4">
          {environment.warnings.map((warning, index) => (
            <li key={`${index} ${warning}`}>{warning}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
