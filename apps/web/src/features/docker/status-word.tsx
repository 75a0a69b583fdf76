import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { dockerTone } from '../../parts/docker/status.ts'
import type { ContainerLine } from './container-line.ts'

/** State and health in words; what is old has no colour. */
export function StatusWord({ line: { status, stale, container } }: { line: ContainerLine }) {
  const { word, tone, health, worst } = status
  const healthTone = health === undefined ? 'green' : dockerTone(health)
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-table" {...tip(container.status)}>
      <StatusDot
        tone={stale ? 'neutral' : worst}
        label={stale ? 'Last known:' : ''}
        ring={stale || worst !== 'green'}
      />
      <span className={cx('truncate', !stale && tone !== 'green' && toneText[tone])}>{word}</span>
      {health !== undefined && (
        <span
          className={cx(
            'truncate text-xs',
            stale || healthTone === 'green' ? 'text-ink-3' : `font-medium ${toneText[healthTone]}`,
          )}
        >
          {health}
        </span>
      )}
    </span>
  )
}
