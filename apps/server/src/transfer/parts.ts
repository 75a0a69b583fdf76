import { type Area, exportPartsOf } from '../area.ts'
import type { TransferPart } from '../export-part.ts'

/** People know the words of an import in this order; what is not named follows in the order of the areas. */
const known = ['connections', 'temperatures', 'guestMetadata', 'system', 'oidc', 'users', 'apiTokens']

/** Everything an export carries, in the order in which an import reports it. The encryption key is in none of them. */
export function partsInOrder(areas: readonly Area[]): TransferPart[] {
  const placeOf = ({ key }: TransferPart) => (known.includes(key) ? known.indexOf(key) : known.length)
  return exportPartsOf(areas).toSorted((a, b) => placeOf(a) - placeOf(b))
}
