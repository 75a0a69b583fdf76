import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { MessageText } from './message-text.tsx'

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'id'> {
  label: string
  value: string
  onChange: (text: string) => void
  /** validation error; replaces the hint */
  error?: string | undefined
  hint?: ReactNode
  /** monospace */
  code?: boolean
}

/** A labelled text area. */
export function TextArea(props: TextAreaProps) {
  const { label, value, onChange, error, hint, code = false, rows = 4, className, ...area } = props
  const id = useId()
  const noteId = useId()
  const note = error ?? hint
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-table font-medium text-ink">
        {label}
      </label>
      <textarea
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        {...area}
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={note ? noteId : undefined}
        className={cx(
          'w-full resize-y rounded-md border bg-surface px-2.5 py-2 text-ink placeholder:text-ink-3',
          code ? 'font-mono text-xs' : 'text-table',
          error === undefined ? 'border-control' : 'border-red',
        )}
      />
      {note && (
        <p id={noteId} className={cx('text-xs', error === undefined ? 'text-ink-3' : 'text-red')}>
          {error === undefined ? hint : <MessageText text={error} />}
        </p>
      )}
    </div>
  )
}
