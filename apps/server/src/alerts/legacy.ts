import { AlertConfigInput } from '@pulse/contract'
import { type Fields, fieldsOf, leftOut, type LegacyPart, type Taken } from '../export-part.ts'

/** Alert settings of Pulse 4.x, read field by field: an invalid field does not stop the import. */
export const legacyAlerts: LegacyPart<AlertConfigInput> = { field: 'alerts', take: toSettings }

/** These are read entry by entry. */
const nested = ['overrides', 'schedule']

function toSettings(value: unknown): Taken<AlertConfigInput | undefined> {
  const fields = fieldsOf(value)
  const taken: Fields = {}
  const left: string[] = []
  const take = (given: Fields, fieldPath: string): Fields | undefined => {
    const result = AlertConfigInput.safeParse({ hysteresisMargin: fields['hysteresisMargin'], ...given })
    if (!result.success) left.push(fieldPath)
    return result.success ? result.data : undefined
  }
  for (const [name, given] of Object.entries(fields)) {
    if (!nested.includes(name)) Object.assign(taken, take({ [name]: given }, name))
    else
      for (const [key, one] of Object.entries(fieldsOf(given))) {
        const fitting = take({ [name]: { [key]: one } }, `${name}.${key}`)
        if (fitting) taken[name] = { ...fieldsOf(taken[name]), ...fieldsOf(fitting[name]) }
      }
  }
  // Older settings have no activation state; alerts were always active then.
  if (taken['overrides'] !== undefined) taken['activationState'] ??= 'active'
  return {
    taken: Object.keys(taken).length > 0 ? (taken as AlertConfigInput) : undefined,
    notes: leftOut('alert settings', left),
  }
}
