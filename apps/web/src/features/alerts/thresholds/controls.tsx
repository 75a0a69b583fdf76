import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { nextOfflineState, type OfflineState } from './override.ts'

interface ToggleProps {
  label: string
  checked: boolean
  /** undefined if read-only */
  onChange: ((checked: boolean) => void) | undefined
  tabIndex: 0 | -1
  hint?: string | undefined
}

/** A small switch for tables; its label is for screen readers. */
export function Toggle({ label, checked, onChange, tabIndex, hint }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={!onChange}
      tabIndex={tabIndex}
      onClick={() => onChange?.(!checked)}
      // the button is large enough for touch; the track keeps its size
      className="-mx-1 inline-flex h-6 w-9 shrink-0 items-center justify-center disabled:opacity-50"
      {...tip(hint)}
    >
      <span
        aria-hidden
        className={cx(
          'inline-flex h-4 w-7 items-center rounded-full border px-px',
          checked ? 'border-accent-fill bg-accent-fill' : 'border-control bg-track',
        )}
      >
        <span
          className={cx(
            'size-3 rounded-full bg-white shadow-xs ring-1 ring-black/20 transition-transform',
            checked && 'translate-x-3',
          )}
        />
      </span>
    </button>
  )
}

const looks: Record<OfflineState, { text: string; tone: string; hint: string }> = {
  off: { text: 'Off', tone: 'bg-sunken text-ink', hint: 'No alert when powered off' },
  warning: { text: 'Warning', tone: 'bg-yellow-soft text-yellow', hint: 'Warn when powered off' },
  critical: { text: 'Critical', tone: 'bg-red-soft text-red', hint: 'Critical when powered off' },
}

interface SeverityControlProps {
  /** resource or table name */
  of: string
  state: OfflineState
  isOwn?: boolean
  onChange: ((state: OfflineState) => void) | undefined
  tabIndex: 0 | -1
  hint?: string | undefined
}

/** Level of the offline alert: each press cycles through off, warning and critical. */
export function SeverityControl({ of, state, isOwn, onChange, tabIndex, hint }: SeverityControlProps) {
  const { text, tone, hint: says } = looks[state]
  return (
    <button
      type="button"
      aria-label={`Offline alerts of ${of}: ${text}`}
      data-own={isOwn}
      disabled={!onChange}
      tabIndex={tabIndex}
      onClick={() => onChange?.(nextOfflineState(state))}
      className={cx(
        'inline-flex h-6 min-w-16 items-center justify-center rounded border px-1.5 text-2xs font-medium disabled:opacity-60',
        // inherited values are uncoloured, because they repeat in every row
        isOwn ? cx('border-transparent', tone) : 'border-line text-ink-2',
        onChange && 'hover:border-control',
      )}
      {...tip(hint ?? says)}
    >
      {text}
    </button>
  )
}
