import * as z from 'zod/mini'

/**
 * The channel kinds. Each has a file here with its schema, limits, defaults, calls and their reference. The
 * server (`notify/channels`) and the browser (`alerts/destinations`) each have a folder of the same name. npm
 * run format updates all these lists.
 */
export const channelKinds = [
  // registry: kinds
  'email',
  'webhook',
  'apprise',
] as const
export const ChannelKind = z.enum(channelKinds)
export type ChannelKind = z.infer<typeof ChannelKind>

export { secretLength, secretMask } from './fields.ts'
// registry: exports
export * from './apprise.ts'
export * from './email.ts'
export * from './webhook.ts'
