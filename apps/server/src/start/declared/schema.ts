import { NodeInput, OidcConfigInput, Role, SystemSettingsInput, UserName } from '@pulse/contract'
import * as z from 'zod/mini'

const file = z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(4096)))
const named = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))

const section = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

const DeclaredNodeInput = z.strictObject({
  ...NodeInput.shape,
  name: named(128),
  host: named(512),
  passwordFile: file,
  tokenValueFile: file,
  /** node of the cluster → whether its temperature is read, or its SSH port */
  temperatures: section(
    z.record(named(253), z.union([z.boolean(), z.int().check(z.minimum(1), z.maximum(65_535))])),
  ),
})
export type DeclaredNodeInput = z.infer<typeof DeclaredNodeInput>

const DeclaredUserInput = z.strictObject({
  name: UserName,
  role: Role,
  passwordHash: z.optional(z.string().check(z.maxLength(512))),
  passwordFile: file,
})
export type DeclaredUserInput = z.infer<typeof DeclaredUserInput>

/** Ports are set in the environment, and leaving out a secret clears it. */
const { frontendPort: _frontend, backendPort: _backend, ...settings } = SystemSettingsInput.shape
const { clearClientSecret: _clear, ...oidc } = OidcConfigInput.shape

/** The schema of pulse.yaml. An empty section equals an absent one. */
export const DeclaredFile = z.strictObject({
  settings: section(z.strictObject(settings)),
  nodes: section(z.array(DeclaredNodeInput).check(z.maxLength(500))),
  users: section(z.array(DeclaredUserInput).check(z.maxLength(500))),
  oidc: section(z.strictObject({ ...oidc, clientSecretFile: file })),
  /** guest id → address */
  guestUrls: section(z.record(named(256), z.string().check(z.trim(), z.minLength(1), z.maxLength(2048)))),
})
export type DeclaredFile = z.infer<typeof DeclaredFile>
