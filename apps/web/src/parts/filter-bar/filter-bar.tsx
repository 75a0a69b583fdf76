import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { cx } from '../../ui/cx.ts'
import type { Direction, Sort } from '../../ui/table/sort.ts'
import { PhoneSort } from '../grid/phone-sort.tsx'

export interface Toggle<Value extends string = string> {
  label: string
  /** the first is the one that a click on the chosen one returns to */
  options: readonly { value: Value; label: string }[]
}

/** What the bar needs of a table's view. */
interface BarView<Chosen extends Record<string, string>, Id extends string> {
  chosen: Chosen
  choose<N extends keyof Chosen>(name: N, value: Chosen[N]): void
  sort: Sort<Id>
  setSort(sort: Sort<Id>): void
  reset(): void
}

interface FilterBarProps<Chosen extends Record<string, string>, Id extends string> {
  id: string
  /** a SearchBox */
  search: ReactNode
  view: BarView<Chosen, Id>
  toggles: { readonly [N in keyof Chosen]: Toggle<Chosen[N]> }
  columns: readonly { id: Id; header: string; firstDirection: Direction }[]
  /** the order is chosen here: there are no column heads, or it is asked for besides them */
  withSort: boolean
  /** what else changes the table's look, after the way back */
  children?: ReactNode
}

/** A page's search, its toggles, and the way back to what it shows by itself. */
export function FilterBar<Chosen extends Record<string, string>, Id extends string>(
  props: FilterBarProps<Chosen, Id>,
) {
  const { id, search, view, toggles, columns, withSort, children } = props
  return (
    <section
      id={id}
      aria-label="Filters"
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-lg:basis-full"
    >
      {/* where it is narrow the way back stands beside the search: below it would take a line of its own */}
      <div className="flex w-full min-w-60 flex-1 basis-64 max-[420px]:-order-2">{search}</div>
      {Object.entries<Toggle>(toggles).map(([name, { label, options }]) => {
        const choose = (value: string) => view.choose(name, value as Chosen[string])
        return (
          <SegmentedToggle
            key={name}
            label={label}
            value={view.chosen[name]!}
            options={options}
            onChange={choose}
            onReset={() => choose(options[0]!.value)}
          />
        )
      })}
      {withSort && (
        <PhoneSort
          label="Sort by"
          columns={columns}
          sort={view.sort}
          onChange={(sort) => sort && view.setSort(sort)}
          className="min-w-44 flex-1 sm:max-w-56"
        />
      )}
      <Button variant="ghost" className="ml-auto max-[420px]:-order-1" onClick={view.reset}>
        <RotateCcw aria-hidden size={13} />
        <span className={cx(withSort && 'max-[420px]:sr-only')}>Reset</span>
      </Button>
      {children}
    </section>
  )
}
