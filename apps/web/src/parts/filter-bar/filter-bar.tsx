import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { cx } from '../../ui/cx.ts'
import type { Direction, Sort } from '../../ui/table/sort.ts'
import { PhoneSort } from '../grid/phone-sort.tsx'
import { SearchBox, type SearchBoxProps } from '../search/search-box.tsx'
import { SearchTips, type SearchTipsProps } from '../search/search-tips.tsx'

export interface Toggle<Value extends string = string> {
  label: string
  /** a click on the selected option returns to the first one */
  options: readonly { value: Value; label: string }[]
}

/** The part of a table view that the bar uses. */
interface BarView<Chosen extends Record<string, string>, Id extends string> {
  chosen: Chosen
  choose<N extends keyof Chosen>(name: N, value: Chosen[N]): void
  sort: Sort<Id>
  setSort(sort: Sort<Id>): void
  search: string
  setSearch(text: string): void
  reset(): void
}

interface BarSearch extends Omit<SearchBoxProps, 'value' | 'onChange' | 'tips'> {
  tips?: SearchTipsProps
  /** on the same line */
  beside?: ReactNode
}

interface FilterBarProps<Chosen extends Record<string, string>, Id extends string> {
  id: string
  search: BarSearch
  view: BarView<Chosen, Id>
  toggles: { readonly [N in keyof Chosen]: Toggle<Chosen[N]> }
  columns: readonly { id: Id; header: string; firstDirection: Direction }[]
  /** offers the sort order, for tables without column headers or in addition to them */
  withSort: boolean
  /** further view controls, after Reset */
  children?: ReactNode
}

/** A page's search, its toggles and the Reset button. */
export function FilterBar<Chosen extends Record<string, string>, Id extends string>(
  props: FilterBarProps<Chosen, Id>,
) {
  const { id, view, toggles, columns, withSort, children } = props
  const { tips, beside, ...search } = props.search
  return (
    <section
      id={id}
      aria-label="Filters"
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-lg:basis-full"
    >
      {/* in a narrow window Reset is beside the search, which saves a line */}
      <div className="flex w-full min-w-60 flex-1 basis-64 items-center gap-2 max-[420px]:-order-2">
        <SearchBox
          {...search}
          value={view.search}
          onChange={view.setSearch}
          tips={tips && <SearchTips {...tips} />}
        />
        {beside}
      </div>
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
