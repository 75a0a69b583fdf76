import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { InDialogContext } from './in-dialog.ts'
import { afterDialog } from './restore-focus.ts'

interface DialogProps {
  open: boolean
  /** Escape, a press on the backdrop, or the cross */
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** `extra`: as wide as the window allows, for charts */
  wide?: boolean | 'extra'
  /** work is in progress, so only the content can close the dialog */
  locked?: boolean
}

interface Business {
  busy: boolean
  setBusy: (busy: boolean) => void
}

const BusinessContext = createContext<Business>({ busy: false, setBusy: () => {} })

/** Keeps the dialog open while a call of its form is pending, so that the user sees the answer. */
export function useDialogBusy(busy: boolean): void {
  const { setBusy } = use(BusinessContext)
  useLayoutEffect(() => {
    if (!busy) return
    setBusy(true)
    return () => setBusy(false)
  }, [busy, setBusy])
}

/** Closes its dialog, unless a call is pending. */
export function DialogCancel({ onClick }: { onClick: () => void }) {
  const { busy } = use(BusinessContext)
  return (
    <Button disabled={busy} onClick={onClick}>
      Cancel
    </Button>
  )
}

const firstControl = 'input:not([readonly]), button'

/** A modal. Its content is mounted only while it is open, so a form starts empty each time. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, children, wide = false, locked = false } = props
  const body = useRef<HTMLDivElement>(null)
  const [busy, setBusy] = useState(false)
  const business = useMemo(() => ({ busy, setBusy }), [busy])
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !locked && !busy && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45 dark:bg-black/60" />
        <Base.Popup
          // not the close button, and on touch no element that opens the keyboard
          initialFocus={(by) =>
            by === 'touch' ? true : (body.current?.querySelector<HTMLElement>(firstControl) ?? true)
          }
          finalFocus={() => afterDialog() ?? true}
          className={cx(
            'appear fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-24px)] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2',
            'flex-col rounded-lg border border-line bg-raised text-ink shadow-raised outline-none',
            wide === 'extra' ? 'max-w-6xl' : wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <header className="flex items-start gap-3 border-b border-line py-3 pr-2 pl-4">
            <div className="min-w-0 flex-1 py-1.5">
              <Base.Title className="text-sm font-semibold break-words">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-table text-ink-2">{description}</Base.Description>
              )}
            </div>
            {!locked && (
              <Base.Close
                aria-label="Close"
                disabled={busy}
                className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink disabled:opacity-50"
              >
                <X aria-hidden size={16} />
              </Base.Close>
            )}
          </header>
          <div ref={body} className="min-h-0 overflow-y-auto p-4">
            <InDialogContext value={true}>
              <BusinessContext value={business}>{children}</BusinessContext>
            </InDialogContext>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** The buttons at the end of a dialog, the main action last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>
}
