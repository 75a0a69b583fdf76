import { UnsavedGuard } from '../../parts/sections/unsaved-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Section } from './section.ts'
import { useSystemEdits } from './system/system-edits.tsx'

const shownOn: readonly string[] = ['pve', 'pbs', 'system']

interface UnsavedProps {
  section: Section
}

function useUnsaved({ id }: Section) {
  const edits = useSystemEdits()
  return { ...edits, isShown: edits.isDirty && shownOn.includes(id) }
}

/** While edits are unsaved, the heading with its buttons stays visible; on small screens the banner does. */
export function SectionHeader({ section }: UnsavedProps) {
  const { isShown, isSaving, save, discard } = useUnsaved(section)
  return (
    <header
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-2',
        isShown && 'lg:sticky lg:top-0 lg:z-10 lg:-my-2 lg:border-b lg:border-line lg:bg-page lg:py-2',
      )}
    >
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-base font-semibold">{section.title}</h1>
        <p className="text-table text-ink-2">{section.description}</p>
      </div>
      {isShown && (
        <div className="hidden flex-wrap items-center gap-2 lg:flex">
          <p role="status" className="mr-2 text-table">
            <span className="font-medium text-yellow">Unsaved changes</span>
            {section.id !== 'system' && <span className="text-ink-2"> in the System section</span>}
          </p>
          <Button variant="ghost" disabled={isSaving} onClick={discard}>
            Discard
          </Button>
          <Button variant="primary" disabled={isSaving} onClick={() => save()}>
            {isSaving ? 'Saving...' : 'Save changes'}
          </Button>
        </div>
      )}
    </header>
  )
}

export function UnsavedBanner({ section }: UnsavedProps) {
  const { isShown, isSaving, save, discard } = useUnsaved(section)
  if (!isShown) return null
  return (
    <div className="sticky top-2 z-10 rounded-md shadow-raised lg:hidden">
      <Notice
        tone="yellow"
        title="You have unsaved changes"
        announce
        action={
          <span className="flex flex-wrap gap-2">
            <Button disabled={isSaving} onClick={() => save()}>
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
    </div>
  )
}

/** Edits survive a change of section. Leaving the settings asks for confirmation. */
export function LeaveGuard() {
  const { isDirty, isSaving, save, discard } = useSystemEdits()
  return (
    <UnsavedGuard
      isDirty={isDirty}
      isSaving={isSaving}
      save={save}
      discard={discard}
      stays={(path) => path.startsWith('/settings')}
    />
  )
}
