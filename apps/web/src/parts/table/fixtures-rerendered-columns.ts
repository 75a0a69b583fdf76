import type { ReactElement, ReactNode } from 'react'
import type { Column } from './column.ts'

/** For tests: the columns with cells that React renders again for changed row data. */
export function rerenderedColumns<Shown>(
  columns: readonly (Column<Shown> & { id: string })[],
  before: Shown,
  after: Shown,
): string[] {
  return columns.filter(({ cell }) => !isUnchanged(cell(before), cell(after))).map(({ id }) => id)
}

/** The same element, or a memoized component with equal props. */
function isUnchanged(before: ReactNode, after: ReactNode): boolean {
  if (Object.is(before, after)) return true
  if (!isElement(before) || !isElement(after) || before.type !== after.type || !isMemo(after.type))
    return false
  const names = new Set([...Object.keys(before.props), ...Object.keys(after.props)])
  return [...names].every((name) => Object.is(before.props[name], after.props[name]))
}

const isElement = (node: ReactNode): node is ReactElement<Record<string, unknown>> =>
  typeof node === 'object' && node !== null && 'type' in node && 'props' in node

const isMemo = (type: unknown): boolean =>
  typeof type === 'object' &&
  type !== null &&
  '$$typeof' in type &&
  type.$$typeof === Symbol.for('react.memo')
