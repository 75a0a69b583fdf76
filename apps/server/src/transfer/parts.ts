import { type Area, exportPartsOf } from '../area.ts'
import type { TransferPart } from '../export-part.ts'

/** The familiar order in the report of an import. Other parts follow in the order of the areas. */
const known = ['connections', 'temperatures', 'guestMetadata', 'system', 'oidc', 'users', 'apiTokens']

/** All parts of an export, in the order in which an import reports them. None contains the encryption key. */
export function partsInOrder(areas: readonly Area[]): TransferPart[] {
  const positionOf = ({ key }: TransferPart) => (known.includes(key) ? known.indexOf(key) : known.length)
  return exportPartsOf(areas).toSorted((a, b) => positionOf(a) - positionOf(b))
}
