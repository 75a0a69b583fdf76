import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

const copiedMs = 2_000

interface CopyFieldProps {
  label: string
  value: string
  /** the label is for screen readers only */
  hideLabel?: boolean
  /** keeps line breaks, as for a file */
  lines?: boolean
  /** wraps instead of cutting the text */
  whole?: boolean
  onCopied?: () => void
  onFailed?: () => void
}

/** A text to copy. It stays selectable when the browser refuses the clipboard. */
export function CopyField(props: CopyFieldProps) {
  const { label, value, hideLabel = false, lines = false, whole = false, onCopied, onFailed } = props
  const id = useId()
  const field = useRef<CopiedField>(null)
  const [copied, setCopied] = useState(0)

  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), copiedMs)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    if (await copyText(value, field.current)) {
      setCopied((times) => times + 1)
      onCopied?.()
    } else {
      onFailed?.()
    }
  }

  const shown = {
    ref: (element: CopiedField | null) => {
      field.current = element
    },
    id,
    readOnly: true,
    value,
    onFocus: (event: { target: CopiedField }) => event.target.select(),
  }

  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-table font-medium text-ink'}>
        {label}
      </label>
      <div className="flex gap-2">
        {whole ? (
          <textarea
            {...shown}
            rows={2}
            className={cx(fieldClass, 'field-sizing-content resize-none py-1.5 break-all')}
          />
        ) : lines ? (
          <textarea
            {...shown}
            rows={value.split('\n').length}
            className={cx(fieldClass, 'resize-none overflow-x-auto py-2 whitespace-pre')}
          />
        ) : (
          <input {...shown} className={cx(fieldClass, 'h-8')} />
        )}
        <Button onClick={() => void copy()} className="w-24">
          {copied > 0 ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
          <span aria-live="polite">{copied > 0 ? 'Copied!' : 'Copy'}</span>
        </Button>
      </div>
    </div>
  )
}

const fieldClass =
  'min-w-0 flex-1 rounded-md border border-control bg-sunken px-2.5 font-mono text-xs text-ink'

/** The element that shows the text. */
type CopiedField = HTMLInputElement | HTMLTextAreaElement

/**
 * Copies a text to the clipboard; false if the browser refuses. A page on plain HTTP has no Clipboard API.
 * There the field is selected and copied with `execCommand`.
 */
async function copyText(text: string, field: CopiedField | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(field)
  }
}

function copySelected(field: CopiedField | null): boolean {
  if (!field) return false
  field.focus()
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
}
