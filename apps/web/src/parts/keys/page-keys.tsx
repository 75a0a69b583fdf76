import { lazy, Suspense, useState } from 'react'
import type { KeyHint } from './table-keys.ts'
import { usePageKeys } from './use-page-keys.ts'

interface PageKeysProps {
  keys: readonly KeyHint[]
  focusSearch: () => void
  onEscape: () => void
}

const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }))

/** The keys of a page, and what shows them. */
export function PageKeys({ keys, ...handlers }: PageKeysProps) {
  const [shown, setShown] = useState(false)
  usePageKeys({ ...handlers, onHelp: () => setShown(true) })
  return shown ? (
    <Suspense fallback={null}>
      <KeyHelp keys={keys} onClose={() => setShown(false)} />
    </Suspense>
  ) : null
}
