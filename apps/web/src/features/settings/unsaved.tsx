import { UnsavedGuard } from '../../parts/unsaved-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Section } from './sections.ts'
import { useSystemEdits } from './system/system-edits.tsx'

const shownOn: readonly string[] = ['pve', 'pbs', 'system']

interface UnsavedProps {
  section: Section
}

function useUnsaved({ id }: Section) {
  const edits = useSystemEdits()
  return { ...edits, isShown: edits.isDirty && shownOn.includes(id) }
}

/** In the header of the page. */
export function UnsavedActions({ section }: UnsavedProps) {
  const { isShown, isSaving, save, discard } = useUnsaved(section)
  if (!isShown) return null
  return (
    <span className="flex flex-wrap gap-2">
      <Button variant="ghost" disabled={isSaving} onClick={discard}>
        Discard
      </Button>
      <Button variant="primary" disabled={isSaving} onClick={save}>
        {isSaving ? 'Saving...' : 'Save changes'}
      </Button>
    </span>
  )
}

export function UnsavedBanner({ section }: UnsavedProps) {
  const { isShown, isSaving, save, discard } = useUnsaved(section)
  if (!isShown) return null
  return (
    <Notice
      tone="yellow"
      title="You have unsaved changes"
      announce
      action={
        <span className="flex flex-wrap gap-2">
          <Button disabled={isSaving} onClick={save}>
            Save Changes
          </Button>
          <Button variant="ghost" disabled={isSaving} onClick={discard}>
            Discard
          </Button>
        </span>
      }
    >
      {section.id === 'system' ? undefined : 'They were made in the System section.'}
    </Notice>
  )
}

/** Edits outlive a change of section; whoever leaves the settings is asked first. */
export function LeaveGuard() {
  const { isDirty } = useSystemEdits()
  return <UnsavedGuard isDirty={isDirty} stays={(path) => path.startsWith('/settings')} />
}
