import { type AlertConfig, overrideKey, type OverrideKind } from '@pulse/contract'

/** Overrides of resources that nobody reports at present, by what is left of them: their identity. */
export function goneResources(
  { overrides }: Pick<AlertConfig, 'overrides'>,
  kind: OverrideKind,
  present: ReadonlySet<string>,
): readonly string[] {
  const prefix = overrideKey(kind, '')
  return Object.keys(overrides)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((id) => !present.has(id))
    .toSorted()
}

export const countOverrides = ({ overrides }: Pick<AlertConfig, 'overrides'>, kind: OverrideKind): number =>
  Object.keys(overrides).filter((key) => key.startsWith(overrideKey(kind, ''))).length
