import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'
import { MessageText } from './message-text.tsx'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'id'> {
  label: string
  value: string
  onChange: (text: string) => void
  /** validation error; replaces the hint */
  error?: string | undefined
  hint?: ReactNode
}

/** A labelled input. A password can be revealed. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, error, hint, type = 'text', className, ...input } = props
  const id = useId()
  const labelId = useId()
  const noteId = useId()
  const [shown, setShown] = useState(false)
  const secret = type === 'password'
  const note = error ?? hint
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label id={labelId} htmlFor={id} className="text-table font-medium text-ink">
        {label}
      </label>
      <div
        className={cx(
          'flex h-9 items-center rounded-md border bg-surface focus-within:outline-2 focus-within:outline-accent',
          error === undefined ? 'border-control' : 'border-red',
          input.disabled && 'opacity-60',
        )}
      >
        <input
          {...input}
          id={id}
          type={secret && shown ? 'text' : type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note ? noteId : undefined}
          className="h-full min-w-0 flex-1 rounded-md bg-transparent px-2.5 text-table text-ink outline-none placeholder:text-ink-3"
        />
        {secret && <RevealButton labelId={labelId} shown={shown} onClick={() => setShown(!shown)} />}
      </div>
      {note && (
        <p id={noteId} className={cx('text-xs', error === undefined ? 'text-ink-3' : 'text-red')}>
          {error === undefined ? hint : <MessageText text={error} />}
        </p>
      )}
    </div>
  )
}

interface RevealButtonProps {
  labelId: string
  shown: boolean
  onClick: () => void
}

function RevealButton({ labelId, shown, onClick }: RevealButtonProps) {
  const Icon = shown ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={shown ? 'Hide' : 'Show'}
      aria-describedby={labelId}
      onClick={onClick}
      className="mr-1 inline-flex size-7 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-hover hover:text-ink"
    >
      <Icon aria-hidden size={15} />
    </button>
  )
}
