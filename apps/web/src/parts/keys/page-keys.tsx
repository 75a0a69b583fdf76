import { useEffect, useState } from 'react'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { toast } from '../../ui/toast.ts'
import type { KeyHint } from './table-keys.ts'
import { usePageKeys } from './use-page-keys.ts'

interface PageKeysProps {
  keys: readonly KeyHint[]
  focusSearch: () => void
  onEscape: () => void
}

const KeyHelp = lazyPart('Keys', async () => ({ default: (await import('./key-help.tsx')).KeyHelp }), {
  renderFailure: ({ error }, { onClose }) => <NoHelp reason={error.message} onClose={onClose} />,
})

/** The keys of a page, and what shows them. */
export function PageKeys({ keys, ...handlers }: PageKeysProps) {
  const [shown, setShown] = useState(false)
  usePageKeys({ ...handlers, onHelp: () => setShown(true) })
  return shown ? <KeyHelp keys={keys} onClose={() => setShown(false)} /> : null
}

/** A dialog has no place of its own on the page. */
function NoHelp({ reason, onClose }: { reason: string; onClose: () => void }) {
  useEffect(() => {
    toast.error(`The keys cannot be shown: ${reason}`)
    onClose()
  }, [reason, onClose])
  return null
}
