import { useIsMutating } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { wordsOf } from '../../api/reason.ts'
import { useChange } from '../../api/use-change.ts'
import { UnsavedGuard } from '../../parts/sections/unsaved-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { type Unsaved, useConfigEdits } from './config-edits.tsx'
import { useDestinationEdits } from './destinations/use-destination-edits.ts'
import { useSaveKey } from './save-key.ts'
import type { Section } from './sections.ts'

/** All unsaved edits of the alerts pages. */
function useUnsaved(): readonly Unsaved[] {
  return [useConfigEdits(), ...useDestinationEdits()].filter(({ isDirty }) => isDirty)
}

/** Handles the parts one after another. A failure does not stop the rest; rejects with the first reason. */
async function allOf(parts: readonly Unsaved[], act: (part: Unsaved) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const part of parts) await act(part).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Shared by the banner and the dialog, so that each knows what the other one does. */
const unsavedKey = ['alerts', 'unsaved']
const saveKey = [...unsavedKey, 'save']

function useSaveAll(unsaved: readonly Unsaved[]) {
  const { mutate } = useChange({
    mutationKey: saveKey,
    mutationFn: () => allOf(unsaved, (part) => part.save()),
    onSuccess: () => toast.success('Configuration saved successfully!'),
    onError: (error) => toast.error(wordsOf(error, 'Failed to save configuration')),
  })
  const isSaving = useIsMutating({ mutationKey: saveKey }) > 0
  const isBusy = useIsMutating({ mutationKey: unsavedKey }) > 0
  return { save: mutate, isSaving, isBusy }
}

/** One banner for all pages with edits: saving on any page saves everything. */
export function UnsavedBanner({ section }: { section: Section }) {
  const unsaved = useUnsaved()
  const { save, isSaving, isBusy } = useSaveAll(unsaved)
  const discard = useChange({
    mutationKey: [...unsavedKey, 'discard'],
    mutationFn: () => allOf(unsaved, (part) => part.discard()),
    onSuccess: () => toast.success('Changes discarded'),
    onError: () => toast.error('Failed to reload configuration'),
  })
  const isShown = unsaved.length > 0 && section.edits === true
  useSaveKey(() => {
    if (isShown && !isBusy) save()
  })
  const cameFrom = useRef<EventTarget>(null)
  useLayoutEffect(() => {
    if (isShown || !(cameFrom.current instanceof HTMLElement)) return
    // hiding the banner removed the focused button
    if (document.activeElement === document.body) cameFrom.current.focus()
    cameFrom.current = null
  }, [isShown])
  if (!isShown) return null
  return (
    <div
      role="status"
      data-page-foot=""
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
      }}
      className="sticky bottom-3 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-yellow bg-yellow-soft px-3 py-2 text-table shadow-raised"
    >
      <TriangleAlert aria-hidden size={16} className="shrink-0 text-yellow" />
      <p className="min-w-0 flex-1 basis-48 font-medium">You have unsaved changes</p>
      <span className="ml-auto flex items-center gap-3">
        <Button variant="ghost" disabled={isBusy} onClick={() => discard.mutate()}>
          Discard
        </Button>
        <Button variant="primary" disabled={isBusy} onClick={() => save()}>
          {isSaving ? 'Saving...' : 'Save Changes'}
        </Button>
      </span>
    </div>
  )
}

/** Edits survive a change of section. Leaving the alerts pages asks for confirmation. */
export function LeaveGuard() {
  const unsaved = useUnsaved()
  const { save, isBusy } = useSaveAll(unsaved)
  return (
    <UnsavedGuard
      isDirty={unsaved.length > 0}
      isSaving={isBusy}
      save={(then) => save(undefined, { onSuccess: () => then(true), onError: () => then(false) })}
      discard={() => unsaved.forEach((part) => part.drop())}
      stays={(path) => path.startsWith('/alerts')}
    />
  )
}
