import { type AlertConfig, overrideKey, type OverrideKind, overrideKinds } from '@pulse/contract'
import { compareNames } from '@pulse/domain'

type Overrides = Pick<AlertConfig, 'overrides'>

/** Overrides of resources that no source currently reports, identified by their key. */
export function absentResources(
  { overrides }: Overrides,
  kind: OverrideKind,
  present: ReadonlySet<string>,
): readonly string[] {
  const prefix = overrideKey(kind, '')
  return Object.keys(overrides)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((id) => !present.has(id))
    .toSorted(compareNames)
}

export const countOverrides = ({ overrides }: Overrides, kind: OverrideKind): number =>
  Object.keys(overrides).filter((key) => key.startsWith(overrideKey(kind, ''))).length

const prefixes = (Object.keys(overrideKinds) as OverrideKind[]).map((kind) => overrideKey(kind, ''))

/** Keys that belong to no table, from older versions or other clients, and match no resource. */
export const unmatchedKeys = ({ overrides }: Overrides): readonly string[] =>
  Object.keys(overrides)
    .filter((key) => !prefixes.some((prefix) => key.startsWith(prefix)))
    .toSorted(compareNames)
