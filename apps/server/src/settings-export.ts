import type { CompiledQuery } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { type Importer, type LegacyPart, nothing, type Plan, type TransferPart } from './export-part.ts'

/** The place of a document of settings in an export. An import replaces the document as a whole. */
export interface SettingsExport<T, Exported = unknown> {
  /** of the file */
  key: string
  schema: z.ZodMiniType<Exported>
  /** absent: nothing is imported from Pulse 4.x */
  older?: LegacyPart<Exported>
  /** An empty object in a file changes nothing. Without it, the object stands for the defaults. */
  ignoresEmpty?: boolean
  /** Throws on unusable settings. */
  read(exported: Exported): T
  plan(next: T, here: SettingsHere<T>, by: Importer): SettingsPlan<T> | Promise<SettingsPlan<T>>
}

/** The state that an import finds. */
export interface SettingsHere<T> {
  value: T
  isDefault: boolean
  /** The file has the same settings, secrets included. */
  isSame: boolean
}

export interface SettingsPlan<T> extends Partial<Pick<Plan, 'summary' | 'notes' | 'changes'>> {
  /** absent: the document is left as it is */
  settings?: T
}

interface DocumentAccess<T> {
  serialize(value: T): unknown
  stored(): Promise<{ value: T; isDefault: boolean }>
  writing(value: T): CompiledQuery
}

export const settingsPart = <T>(
  { key, schema, older, ignoresEmpty = false, read, plan }: SettingsExport<T>,
  { serialize, stored, writing }: DocumentAccess<T>,
): TransferPart => ({
  key,
  schema,
  ...(older && { older }),
  read: async () => serialize((await stored()).value),
  async plan(exported, by) {
    if (ignoresEmpty && Object.keys(exported as object).length === 0) return nothing
    const next = read(exported)
    const here = await stored()
    // compares the serialized forms, because two secrets always look equal
    const isSame = isDeepStrictEqual(serialize(next), serialize(here.value))
    const { settings, ...planned } = await plan(next, { ...here, isSame }, by)
    return { ...nothing, ...planned, queries: settings === undefined ? [] : [writing(settings)] }
  },
})
