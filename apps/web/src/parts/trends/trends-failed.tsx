import { useEffect } from 'react'
import { toast } from '../../ui/toast.ts'

/** The table works without trends, so their failure takes no space in it. */
export function TrendsFailed({ reason }: { reason: string }) {
  useEffect(() => {
    toast.warning(`Trends could not be loaded: ${reason}`)
  }, [reason])
  return null
}
