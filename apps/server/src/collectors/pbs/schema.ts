import * as z from 'zod/mini'
import { nodeName, text } from '../proxmox/schema.ts'

export const PbsNode = z.object({ node: nodeName })
export const PbsDatastore = z.object({ store: z.string().check(z.minLength(1)), comment: text })
