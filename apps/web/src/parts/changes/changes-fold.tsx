import { Disclosure } from '../../ui/disclosure.tsx'
import { Link } from '../../ui/router/link.tsx'
import { allChangesOf } from './all-changes.ts'
import { ChangesCard } from './changes-card.tsx'
import type { ChangesProps } from './changes-view.tsx'

/** The newest changes of a thing in its opened row. They are loaded when the fold opens. */
export function ChangesFold(props: Pick<ChangesProps, 'kind' | 'id' | 'name'>) {
  return (
    <Disclosure summary="Changes" className="mt-3 border-t border-line pt-2">
      {/* as high while it loads as with its changes */}
      <div className="mt-1 flex min-h-38 max-w-3xl flex-col overflow-clip rounded-md border border-line bg-surface">
        <div className="grid flex-1 grid-cols-1">
          <ChangesCard {...props} isBrief />
        </div>
        <Link to={allChangesOf(props)} className="px-3 py-1.5 text-xs text-accent hover:underline">
          Show all
        </Link>
      </div>
    </Disclosure>
  )
}
