import { TriangleAlert } from 'lucide-react'
import { UnsavedGuard } from '../../parts/unsaved-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { useConfigEdits } from './config-edits.tsx'
import type { Section } from './sections.ts'

/** One for all pages that edit the configuration: what one of them saves, all of them save. */
export function UnsavedBanner({ section }: { section: Section }) {
  const { isDirty, isSaving, save, discard } = useConfigEdits()
  if (!isDirty || !section.edits) return null
  return (
    <div
      role="status"
      className="sticky bottom-3 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-yellow bg-yellow-soft px-3 py-2 text-table shadow-raised"
    >
      <TriangleAlert aria-hidden size={16} className="shrink-0 text-yellow" />
      <p className="min-w-0 flex-1 basis-48 font-medium">You have unsaved changes</p>
      <span className="ml-auto flex items-center gap-3">
        <Button variant="ghost" disabled={isSaving} onClick={discard}>
          Discard
        </Button>
        <Button variant="primary" disabled={isSaving} onClick={save}>
          {isSaving ? 'Saving...' : 'Save Changes'}
        </Button>
      </span>
    </div>
  )
}

/** Edits outlive a change of section; whoever leaves the alerts is asked first. */
export function LeaveGuard() {
  const { isDirty } = useConfigEdits()
  return <UnsavedGuard isDirty={isDirty} stays={(path) => path.startsWith('/alerts')} />
}
