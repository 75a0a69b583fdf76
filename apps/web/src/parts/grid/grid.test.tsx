// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { memo, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sort } from '../../ui/table/sort.ts'
import type { GridColumn } from './columns.ts'
import { Grid } from './grid.tsx'

const columns: readonly GridColumn[] = [
  { id: 'name', header: 'Name', firstDirection: 'asc', track: '1fr' },
  { id: 'size', header: 'Size', firstDirection: 'desc', track: '80px', align: 'end' },
]
const many = Array.from({ length: 2_500 }, (_, i) => `row-${i}`)

const rendered: string[] = []
const Row = memo(function Row({ id, tabIndex }: { id: string; tabIndex: number }) {
  rendered.push(id)
  return (
    <div role="gridcell">
      <button type="button" tabIndex={tabIndex}>
        open {id}
      </button>
      {id}
    </div>
  )
})

const heads = ['head', 'a', 'b']

/** rows that kindOf was called for */
const lookedAt: string[] = []
const onActivate = vi.fn<(row: string) => void>()
const onSort = vi.fn<(column: GridColumn) => void>()

interface GivenProps {
  rows?: readonly string[]
  phone?: boolean
  sort?: Sort
  selected?: string
  /** whether each row with details is open */
  expanded?: Record<string, boolean>
  parents?: Record<string, string>
}

function setup({ rows = many, phone = false, sort, selected, expanded, parents }: GivenProps = {}) {
  let show: (rows: readonly string[]) => void
  function Holder() {
    const [shown, setShown] = useState(rows)
    show = setShown
    return (
      <Grid
        label="Things"
        columns={columns}
        sort={sort}
        onSort={onSort}
        rows={shown}
        kindOf={(row) => {
          lookedAt.push(row)
          return {
            focusable: !row.startsWith('details'),
            ...(selected !== undefined && { selected: row === selected }),
            ...(expanded && { expanded: expanded[row], level: parents?.[row] ? 2 : 1 }),
          }
        }}
        heightOf={(row) => (row.startsWith('details') ? undefined : 32)}
        renderRow={(row, { tabIndex }) => <Row id={row} tabIndex={tabIndex} />}
        onActivate={onActivate}
        {...(expanded && { tree: true })}
        minWidth={760}
        phone={phone}
      />
    )
  }
  const { container } = render(<Holder />)
  return { container, show: (next: readonly string[]) => act(() => show(next)) }
}

const row = (name: string) => document.querySelector<HTMLElement>(`[data-row="${name}"]`)!
const focused = () => (document.activeElement as HTMLElement).dataset['row']

beforeEach(() => {
  vi.clearAllMocks()
  rendered.length = 0
  lookedAt.length = 0
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a long table', () => {
  test('kindOf is called for rows near the window only, at first and when all move', () => {
    const { show } = setup({ rows: many })
    expect(new Set(lookedAt).size).toBeLessThan(60)
    lookedAt.length = 0
    show(many.toReversed())
    expect(new Set(lookedAt).size).toBeLessThan(60)
  })

  test('only rows near the window exist, but the row count is complete', () => {
    const { container } = setup()
    const grid = screen.getByRole('grid', { name: 'Things' })
    expect(grid.getAttribute('aria-rowcount')).toBe('2501')
    expect(container.querySelectorAll('[data-row]').length).toBeLessThan(60)
    expect(container.querySelectorAll('*').length).toBeLessThan(500)
    expect(row('row-0').getAttribute('aria-rowindex')).toBe('2')
    expect(row('row-3').style.top).toBe('96px')
  })

  test('when the order changes, rows are moved and none renders again', () => {
    const { show } = setup({ rows: many.slice(0, 20) })
    rendered.length = 0
    show(['row-0', ...many.slice(1, 20).toReversed()])
    expect(row('row-19').style.top).toBe('32px')
    expect(rendered).toEqual([])
  })

  test('a row without a given height is measured', () => {
    setup({ rows: ['a', 'details-a', 'b'] })
    expect(row('a').style.height).toBe('32px')
    expect(row('details-a').style.height).toBe('')
  })
})

test('when lines grow, rows below a head of fixed height move too', () => {
  let grow: () => void
  function Holder() {
    const [lineHeight, setLineHeight] = useState(36)
    grow = () => setLineHeight(56)
    return (
      <Grid
        label="Groups"
        columns={columns}
        sort={undefined}
        onSort={onSort}
        rows={heads}
        kindOf={() => ({ focusable: true })}
        heightOf={(key) => (key === 'head' ? 32 : lineHeight)}
        renderRow={(key, { tabIndex }) => <Row id={key} tabIndex={tabIndex} />}
        onActivate={onActivate}
        minWidth={0}
        phone
      />
    )
  }
  render(<Holder />)
  expect(['a', 'b'].map((name) => row(name).style.top)).toEqual(['32px', '68px'])
  act(() => grow())
  expect(['a', 'b'].map((name) => row(name).style.top)).toEqual(['32px', '88px'])
})

describe('columns', () => {
  test('have a head that sorts by click and shows the order', () => {
    setup({ rows: ['a'], sort: { key: 'size', direction: 'desc' } })
    const [name, size] = screen.getAllByRole('columnheader')
    expect([name, size].map((head) => head!.getAttribute('aria-sort'))).toEqual(['none', 'descending'])
    fireEvent.click(within(name!).getByRole('button', { name: 'Name' }))
    expect(onSort).toHaveBeenCalledWith(columns[0])
  })

  test('[spec 1 §9] keep a least width, below which the table scrolls sideways', () => {
    setup({ rows: ['a'] })
    expect(row('a').parentElement!.style.minWidth).toBe('47.5rem')
  })

  test('on a phone there is no head and no least width', () => {
    setup({ rows: ['a'], phone: true })
    expect(screen.queryByRole('columnheader')).toBeNull()
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('1')
    expect(row('a').getAttribute('aria-rowindex')).toBe('1')
    expect(row('a').parentElement!.style.minWidth).toBe('')
  })
})

describe('the keyboard', () => {
  test('reaches one row by Tab: the first, then the one last used', () => {
    setup({ rows: ['a', 'b', 'c'] })
    const stops = () => ['a', 'b', 'c'].filter((name) => row(name).tabIndex === 0)
    expect(stops()).toEqual(['a'])
    fireEvent.focus(row('c'))
    expect(stops()).toEqual(['c'])
    expect(within(row('c')).getByRole('button').tabIndex).toBe(0)
    expect(within(row('a')).getByRole('button').tabIndex).toBe(-1)
  })

  test('moves with the arrows, past rows without focus', () => {
    setup({ rows: ['a', 'details-a', 'b', 'c'] })
    row('a').focus()
    fireEvent.keyDown(row('a'), { key: 'ArrowDown' })
    expect(focused()).toBe('b')
    fireEvent.keyDown(row('b'), { key: 'ArrowUp' })
    expect(focused()).toBe('a')
    fireEvent.keyDown(within(row('a')).getByRole('button'), { key: 'End' })
    expect(focused()).toBe('c')
  })

  test('can leave the rendered rows: the target row is rendered', () => {
    setup()
    row('row-0').focus()
    fireEvent.keyDown(row('row-0'), { key: 'End' })
    expect(focused()).toBe('row-2499')
    expect(row('row-2499').getAttribute('aria-rowindex')).toBe('2501')
  })

  test('activates with Enter and Space, but not from a button in the row', () => {
    setup({ rows: ['a'] })
    fireEvent.keyDown(row('a'), { key: 'Enter' })
    fireEvent.keyDown(row('a'), { key: ' ' })
    expect(onActivate.mock.calls).toEqual([['a'], ['a']])
    fireEvent.keyDown(within(row('a')).getByRole('button'), { key: 'Enter' })
    expect(onActivate).toHaveBeenCalledTimes(2)
  })

  test('at an end it stays, and does not take the focus back after it left', () => {
    const { show } = setup({ rows: ['a', 'b'] })
    act(() => row('b').focus())
    fireEvent.keyDown(row('b'), { key: 'ArrowDown' })
    const head = screen.getByRole('button', { name: 'Size' })
    act(() => head.focus())
    show(['b', 'a'])
    expect(document.activeElement).toBe(head)
  })

  test('moves to the first row when its row is removed', () => {
    const { show } = setup({ rows: ['a', 'b'] })
    fireEvent.focus(row('b'))
    show(['a', 'c'])
    expect(row('a').tabIndex).toBe(0)
  })
})

describe('rows that can be opened', () => {
  const tree = {
    rows: ['node', 'a', 'details-a', 'b'],
    expanded: { a: true, b: false },
    parents: { a: 'node', b: 'node' },
  }
  const press = (name: string, key: string) => {
    row(name).focus()
    fireEvent.keyDown(row(name), { key })
  }

  test('make the table a tree: each row has a level and an expanded state', () => {
    setup(tree)
    expect(screen.getByRole('treegrid', { name: 'Things' })).toBeDefined()
    expect(['node', 'a', 'b'].map((name) => row(name).getAttribute('aria-expanded'))).toEqual([
      null,
      'true',
      'false',
    ])
    expect(['node', 'a', 'b'].map((name) => row(name).getAttribute('aria-level'))).toEqual(['1', '2', '2'])
  })

  test('open with ArrowRight and close with ArrowLeft, once', () => {
    setup(tree)
    press('b', 'ArrowRight')
    press('a', 'ArrowLeft')
    expect(onActivate.mock.calls).toEqual([['b'], ['a']])
    press('a', 'ArrowRight')
    expect(onActivate).toHaveBeenCalledTimes(2)
  })

  test('ArrowLeft on a closed row moves to its parent', () => {
    setup(tree)
    press('b', 'ArrowLeft')
    expect(focused()).toBe('node')
    press('node', 'ArrowLeft')
    expect(focused()).toBe('node')
    expect(onActivate).not.toHaveBeenCalled()
  })

  test('a table without them stays a plain grid, where these keys do nothing', () => {
    setup({ rows: ['a', 'b'] })
    press('b', 'ArrowRight')
    press('b', 'ArrowLeft')
    expect(screen.getByRole('grid')).toBeDefined()
    expect(onActivate).not.toHaveBeenCalled()
  })
})

test('scrolling the head sideways, as by focus on a column, scrolls the body too', () => {
  setup({ rows: ['a'] })
  const [head, body] = screen.getAllByRole('rowgroup')
  head!.scrollLeft = 120
  fireEvent.scroll(head!)
  expect(body!.scrollLeft).toBe(120)
  body!.scrollLeft = 40
  fireEvent.scroll(body!)
  expect(head!.scrollLeft).toBe(40)
})

describe('the mouse', () => {
  test('activates by a click on the row, not on its own button', () => {
    setup({ rows: ['a'] })
    fireEvent.click(screen.getByRole('gridcell'))
    expect(onActivate).toHaveBeenCalledTimes(1)
    fireEvent.click(screen.getByRole('button', { name: 'open a' }))
    expect(onActivate).toHaveBeenCalledTimes(1)
  })

  test('marking text is no click', () => {
    setup({ rows: ['a'] })
    vi.spyOn(window, 'getSelection').mockReturnValue({ type: 'Range' } as Selection)
    fireEvent.click(screen.getByRole('gridcell'))
    expect(onActivate).not.toHaveBeenCalled()
  })
})

test('a selected row is marked as selected', () => {
  setup({ rows: ['a', 'b'], selected: 'b' })
  expect(['a', 'b'].map((name) => row(name).getAttribute('aria-selected'))).toEqual(['false', 'true'])
})
