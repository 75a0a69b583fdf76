import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { unsavedWork } from '../missing-code.ts'
import type { PageLocation } from './history.ts'
import { useRouter } from './use-router.ts'

interface LeaveGuard {
  /** there are unsaved edits */
  isActive: boolean
  isSaving: boolean
  /** paths that may be opened without a question */
  isAllowed: (path: string) => boolean
}

/**
 * Blocks navigation while it is active. If the edits are saved while the user is asked, the navigation goes
 * on. If they vanish in another way, for example with the list that they belong to, the page stays. The
 * browser itself asks before a reload, and before the tab closes.
 */
export function useLeaveGuard({ isActive, isSaving, isAllowed }: LeaveGuard) {
  const { guard } = useRouter()
  const [isBlocked, setBlocked] = useState(false)
  const proceed = useRef<() => void>(undefined)
  const blocks = useEffectEvent((to: PageLocation) => !isAllowed(to.path))
  /** while there were edits, in the last render */
  const wasSaving = useRef(false)
  const end = useEffectEvent(() => {
    if (isSaving || wasSaving.current) goOn(proceed)
    proceed.current = undefined
  })
  // There is nothing to ask about any more.
  if (isBlocked && !isActive) setBlocked(false)

  useEffect(() => {
    if (isActive) wasSaving.current = isSaving
  }, [isActive, isSaving])

  useEffect(() => {
    if (!isActive) return end()
    const saved = unsavedWork.add()
    const removeGuard = guard({
      blocks: (to) => blocks(to),
      ask(next) {
        proceed.current = next
        setBlocked(true)
      },
    })
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => {
      saved()
      removeGuard()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isActive, guard])

  return {
    isBlocked,
    stay() {
      proceed.current = undefined
      setBlocked(false)
    },
    leave() {
      setBlocked(false)
      goOn(proceed)
    },
  }
}

/** Once: saving can both answer the question and end what it asks about. */
function goOn(proceed: RefObject<(() => void) | undefined>): void {
  const next = proceed.current
  proceed.current = undefined
  next?.()
}
