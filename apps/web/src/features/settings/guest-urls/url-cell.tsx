import { ExternalLink, Pencil } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { safeUrl } from '../../../lib/links.ts'
import { IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import type { UrlRow } from './use-guest-urls.ts'

interface UrlCellProps {
  row: UrlRow
  /** undefined resets to the stored URL */
  onType: (key: string, text: string | undefined) => void
}

/** The URL as a link, with a pencil that opens its field. An edited field stays open until saved. */
export function UrlCell({ row, onType }: UrlCellProps) {
  const { guest, stored, isDirty } = row
  const [open, setOpen] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const [returns, setReturns] = useState(false)
  useEffect(() => {
    if (returns) pencil.current?.focus()
  }, [returns])
  if (open || isDirty) {
    return (
      <UrlField
        row={row}
        onType={(text) => onType(guest.key, text)}
        focused={open}
        onEnter={() => setOpen(true)}
        onLeave={() => setOpen(false)}
        onCancel={() => {
          onType(guest.key, undefined)
          setOpen(false)
          setReturns(true)
        }}
      />
    )
  }
  return (
    <div className="flex min-h-8 items-center gap-1">
      <span className="min-w-0 flex-1">
        {stored ? <StoredUrl name={guest.name} url={stored} /> : <Unset />}
      </span>
      <IconButton
        ref={pencil}
        label={`Edit URL of ${guest.name}`}
        onClick={() => {
          setReturns(false)
          setOpen(true)
        }}
      >
        <Pencil aria-hidden size={14} />
      </IconButton>
    </div>
  )
}

const Unset = () => <span className="text-ink-3">Not set</span>

function StoredUrl({ name, url }: { name: string; url: string }) {
  const link = safeUrl(url)
  if (!link) return <span className="break-all text-ink-2">{url}</span>
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Open the URL of ${name}: ${url}`}
      className="break-all text-accent hover:underline"
    >
      {url}
      <ExternalLink aria-hidden size={12} className="ml-1 inline align-[-1px]" />
    </a>
  )
}

interface UrlFieldProps {
  row: UrlRow
  onType: (text: string) => void
  /** the field was just opened */
  focused: boolean
  onEnter: () => void
  onLeave: () => void
  onCancel: () => void
}

function UrlField({ row, onType, focused, onEnter, onLeave, onCancel }: UrlFieldProps) {
  const { guest, url, isDirty, error } = row
  const errorId = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current!.focus()
  }, [focused])
  return (
    <div className="flex flex-col gap-1">
      <input
        ref={input}
        type="text"
        inputMode="url"
        aria-label={`URL of ${guest.name}`}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && errorId}
        placeholder="https://guest.example.org"
        value={url}
        onChange={(event) => onType(event.target.value)}
        onFocus={onEnter}
        onBlur={onLeave}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onCancel()
        }}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={cx(
          'h-8 w-full min-w-0 rounded-md border bg-surface px-2.5 text-table text-ink placeholder:text-ink-3',
          error ? 'border-red' : isDirty ? 'border-accent' : 'border-control',
        )}
      />
      {error && (
        <p id={errorId} className="text-xs text-red">
          {error}
        </p>
      )}
    </div>
  )
}
