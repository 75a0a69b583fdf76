import { useEffect } from 'react'
import { toast } from '../../ui/toast.ts'

/** Number of tables that fail for a reason. A page has several, and one message is enough. */
const failing = new Map<string, number>()

/** The table works without trends, so their failure takes no space in it. */
export function TrendsFailed({ reason }: { reason: string }) {
  useEffect(() => {
    const others = failing.get(reason) ?? 0
    failing.set(reason, others + 1)
    if (others === 0) toast.warning(`Trends could not be loaded: ${reason}`)
    return () => {
      const left = failing.get(reason)! - 1
      if (left > 0) failing.set(reason, left)
      else failing.delete(reason)
    }
  }, [reason])
  return null
}
