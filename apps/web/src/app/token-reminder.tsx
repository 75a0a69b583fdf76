import { KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/code/lazy-part.tsx'
import { closeReveal, dismissToken, reopenReveal, useReveal } from '../parts/token-reveal/revealed-token.ts'
import { tokenName } from '../parts/token-reveal/token-hint.ts'

const TokenRevealDialog = lazyPart(
  'New API token',
  () => import('../parts/token-reveal/token-reveal-dialog.tsx'),
)

/** On every page: the token that was just made can be looked at again until it is dismissed. */
export function TokenReminder() {
  const { revealed, open } = useReveal()
  // it does not outlive the session that made it
  useEffect(() => dismissToken, [])

  if (!revealed) return null
  return (
    <>
      <section
        aria-label="New API token"
        className="mt-3 mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-raised px-3 py-2 text-table"
      >
        <KeyRound size={16} aria-hidden className="shrink-0 text-accent" />
        <p className="min-w-0 flex-1 basis-56 break-words text-ink-2">
          The token <span className="font-medium text-ink">{tokenName(revealed.record)}</span> is kept in this
          page until you dismiss it.
        </p>
        <span className="flex gap-2">
          <Button onClick={reopenReveal}>Show token</Button>
          <Button variant="ghost" onClick={dismissToken}>
            Dismiss
          </Button>
        </span>
      </section>
      <TokenRevealDialog revealed={revealed} open={open} onClose={closeReveal} onDismiss={dismissToken} />
    </>
  )
}
