import { useEffect, useEffectEvent, useState } from 'react'
import { unsavedWork } from '../missing-code.ts'
import type { PageLocation } from './history.ts'
import { useRouter } from './use-router.ts'

interface BlockedNavigation {
  proceed: () => void
}

interface LeaveGuard {
  isActive: boolean
  /** paths that may be opened without a question */
  isAllowed: (path: string) => boolean
}

/**
 * Blocks navigation while it is active. If the edits are saved while the user is asked, the navigation goes on.
 * The browser itself asks before a reload, and before the tab closes.
 */
export function useLeaveGuard({ isActive, isAllowed }: LeaveGuard) {
  const { guard } = useRouter()
  const [blocked, setBlocked] = useState<BlockedNavigation>()
  const blocks = useEffectEvent((to: PageLocation) => !isAllowed(to.path))

  useEffect(() => {
    if (!isActive) return
    const saved = unsavedWork.add()
    const removeGuard = guard({ blocks: (to) => blocks(to), ask: (proceed) => setBlocked({ proceed: once(proceed) }) })
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => {
      saved()
      removeGuard()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isActive, guard])

  const stay = () => setBlocked(undefined)
  const leave = () => {
    stay()
    blocked?.proceed()
  }
  const leaveUnasked = useEffectEvent(leave)
  useEffect(() => {
    if (!isActive) leaveUnasked()
  }, [isActive])

  return { isBlocked: blocked !== undefined, stay, leave }
}

/** Saving can both answer the question and end what it asks about. */
function once(proceed: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    proceed()
  }
}
