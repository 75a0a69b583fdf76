import type { Permissions } from './schema.ts'

export interface Need {
  path: string
  /** any of them will do */
  rights: readonly string[]
  /** what stays dark */
  without: string
}

/** What stays dark, need by need. */
export function missingOf(granted: Permissions, needs: readonly Need[]): string[] {
  return needs
    .filter((need) => !need.rights.some((right) => isGranted(granted, need.path, right)))
    .map((n) => n.without)
}

/** A right on the root, on the tree or on a part of it; pools carry rights on their guests and storages. */
function isGranted(granted: Permissions, tree: string, right: string): boolean {
  return Object.entries(granted).some(
    ([path, rights]) =>
      Object.hasOwn(rights, right) &&
      (path === '/' || path === tree || path.startsWith(`${tree}/`) || path.startsWith('/pool/')),
  )
}
