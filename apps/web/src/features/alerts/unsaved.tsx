import { UnsavedGuard } from '../../parts/unsaved-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useConfigEdits } from './config-edits.tsx'
import type { Section } from './sections.ts'

/** One for all pages that edit the configuration: what one of them saves, all of them save. */
export function UnsavedBanner({ section }: { section: Section }) {
  const { isDirty, isSaving, save, discard } = useConfigEdits()
  if (!isDirty || !section.edits) return null
  return (
    <div className="sticky top-2 z-20 rounded-md shadow-raised">
      <Notice
        tone="yellow"
        title="You have unsaved changes"
        announce
        action={
          <span className="flex flex-wrap gap-2">
            <Button variant="primary" disabled={isSaving} onClick={save}>
              {isSaving ? 'Saving...' : 'Save Changes'}
            </Button>
            <Button variant="ghost" disabled={isSaving} onClick={discard}>
              Discard
            </Button>
          </span>
        }
      />
    </div>
  )
}

/** Edits outlive a change of section; whoever leaves the alerts is asked first. */
export function LeaveGuard() {
  const { isDirty } = useConfigEdits()
  return <UnsavedGuard isDirty={isDirty} stays={(path) => path.startsWith('/alerts')} />
}
