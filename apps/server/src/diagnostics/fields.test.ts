import { Diagnostics, NodeConfig, PlainState, recordSchemas } from '@pulse/contract'
import { expect, test } from 'vitest'
import { categoryOf, openMaps } from './fields.ts'

interface Schema {
  _zod: {
    def: {
      type: string
      shape?: Record<string, Schema>
      element?: Schema
      innerType?: Schema
      valueType?: Schema
      options?: Schema[]
    }
  }
}

/** The names of all fields with free text, and of all objects with free keys. */
function textFields(schema: unknown, name: string, found: { texts: Set<string>; maps: Set<string> }) {
  const { type, shape, element, innerType, valueType, options } = (schema as Schema)._zod.def
  if (type === 'string') found.texts.add(name)
  if (type === 'record') found.maps.add(name)
  for (const [field, inner] of Object.entries(shape ?? {})) textFields(inner, field, found)
  for (const inner of [element, innerType, valueType, ...(options ?? [])])
    if (inner) textFields(inner, name, found)
  return found
}

/**
 * Reviewed by hand: texts that may contain a name but are none. Known values and address-like texts are
 * removed from them. A new field belongs in this list or in fields.ts.
 */
const cleanedOnly = (
  'LastSeen NodeID ackTime advice agentVersion apiResponse arch architecture backupTime backupType ' +
  'connectionId content createdAt devPath device direction diskDevices diskStatusReason ' +
  'dockerVersion endNote endTime engine error errors escalationTimes failureReason format goVersion guestId health healthMessage healthNote id issue issues ' +
  'job kernelVersion lastBackup lastChecked lastGarbage lastNotified lastPoll lastPrune lastRead lastSeen lastSync ' +
  'lastUpdate lastUpdated lastUsedAt lastVerify lastWord legacyScheduleSettings legacyThresholdSources level listedBy loadAvg lock lockedBy maxRecorded ' +
  'memorySource message mhz minRecorded missing model nextRun nodeIds os osName osVersion part ' +
  'permissions pollingStartTime protocol pveVersion reason recommendations recommendedAgentVersion resolvedTime resourceId ' +
  'retrievedAt right role runtime scan schedule score source startTime startedAt state status switchedOff testResult time ' +
  'timestamp tokenId type unreadable updatedAt used verification version what windowStart withheld'
).split(' ')

test('[S16] every text field of the export is either redacted by name or reviewed', () => {
  const found = { texts: new Set<string>(), maps: new Set<string>() }
  const records = Object.values(recordSchemas)
  for (const schema of [PlainState, Diagnostics, NodeConfig, ...records]) textFields(schema, '', found)
  const rest = [...found.texts].filter((name) => categoryOf(name) === undefined && !openMaps.includes(name))
  expect(rest.toSorted()).toEqual(cleanedOnly)
  expect([...found.maps].toSorted()).toEqual(openMaps.toSorted())
})
