export * from './agent-setup.ts'
export { exponentialBackoffMs } from './backoff.ts'
export type { AlertEngine, AlertEngineEdges } from './alerts/alert-engine.ts'
export { createAlertEngine } from './alerts/engine.ts'
export { maxResolved } from './alerts/resolved-alerts.ts'
export type { Moment } from './alerts/condition.ts'
export { type DelayKind, inheritedDelay } from './alerts/delays.ts'
export { type OfflineFields, offlineState, type OfflineState } from './alerts/offline-state.ts'
export type { SentNotice } from './alerts/notified.ts'
export { endWord } from './alerts/end-word.ts'
export { fileSystemAlerts } from './alerts/file-system-alerts.ts'
export { rulesOn } from './alerts/custom-rules.ts'
export { createPolicies } from './alerts/policy.ts'
export { type FoundOverride, overrideNames, overrideOf } from './alerts/override-key.ts'
export type {
  AlertChange,
  Ending,
  EngineSnapshot,
  Restored,
  StoredAlert,
  StoredResolved,
  StoredMemory,
} from './alerts/stored.ts'
export * from './clock.ts'
export { containerUse } from './container-use.ts'
export { compareNames } from './compare-names.ts'
export { fileSystemId, fileSystemName, guestOfFileSystem, reportsFileSystems } from './file-systems.ts'
export { backTest, type BackTestRequest, type BackTestResult } from './history/back-test.ts'
export type { PlayedThing } from './history/played-thing.ts'
export { neighbourOf, playedFileSystem, playedRecord } from './history/played-records.ts'
export { isPlayedForAnother, unplayedOf } from './history/unplayed.ts'
export { playedMetrics, playedThreshold } from './history/played-thresholds.ts'
export { type Bucket, type GapReason, isSummary, mergeSamples, type Summary } from './history/bucket.ts'
export { ChangeLog } from './history/change-log.ts'
export { type ChangeEntry, ChangeReader, type Listing } from './history/change-reader.ts'
export type {
  ChangeBase,
  ChangeRow,
  ChangeStorage,
  LatestPlace,
  LatestRecord,
  NoticePart,
} from './history/change-storage.ts'
export type { ChartLinesRequest } from './history/chart-lines.ts'
export { type Fields, type RestoredField, restoredFields } from './history/logged-fields.ts'
export type { IdSpan, NoticeCounts, NoticePage, NoticeQuery } from './history/notice-pages.ts'
export type { ChangeNotice } from './history/notices.ts'
export { FileSystemTable, mostFileSystems } from './history/file-system-table.ts'
export { isSameForecast } from './history/forecast.ts'
export { readForecasts } from './history/forecast-reading.ts'
export { downSample } from './history/down-sample.ts'
export { type Levels, MinuteMeans, noLevel } from './history/minute-means.ts'
export { type Precision, precisionOf } from './history/precision.ts'
export {
  bucketGaps,
  bucketPoints,
  type Gap,
  sampleGaps,
  samplePoints,
  type SeriesPoint,
  tierFor,
} from './history/reading.ts'
export { restoreFigures } from './history/restore.ts'
export { RetentionClock } from './history/retention-clock.ts'
export { type SampledField, sampledFields, Sampler } from './history/sampler.ts'
export type { Column } from './history/segment.ts'
export { type Answer, answered, type SampleReads, type Step } from './history/sample-reads.ts'
export { absent, decodeNumbers, encodeNumbers, isSample } from './history/series.ts'
export type { Block, Finished, TileStorage, TilePlace } from './history/tile-storage.ts'
export { type Sample, type Samples, samplesOf, type TimedBucket } from './history/history-source.ts'
export { HistoryStore } from './history/store.ts'
export {
  blockMs,
  bucketMs,
  type BucketTier,
  dayMs,
  type KeepMs,
  keepMsOf,
  reachMs,
  startOf,
  type Tier,
  tiers,
  usualKeepMs,
} from './history/tiers.ts'
export { alertAddress } from './notify/alert-address.ts'
export { mostSevereFirst } from './notify/batch.ts'
export type { Explanation } from './notify/explain.ts'
export { Dispatcher } from './notify/dispatcher.ts'
export type {
  Capacity as ChannelCapacity,
  ChannelInfo,
  Dispatch,
  DispatchItem,
  Ending as NoticeEnding,
  EpisodeEnd,
  LedgerChanges,
  SentKind,
  SourceShare,
  NotificationLogEntry,
} from './notify/dispatch.ts'
export { containerName } from './container-name.ts'
export * from './described-version.ts'
export * from './guest-url.ts'
export { emailProviders, emailUsername } from './notify/email-providers.ts'
export { mailRows, type MailText, mailText } from './notify/mail.ts'
export { listed, mostLines, toMessage } from './notify/message.ts'
export type { Notice } from './notify/notice.ts'
export { queueLimit } from './notify/ready-queue.ts'
export { redactedUrl, secretsOfUrl, withoutSecrets } from './notify/redact.ts'
export {
  eventIdHeader,
  sampleAddress,
  webhookCapacity,
  webhookProblems,
  type WebhookRequest,
  webhookRequests,
} from './notify/services/requests.ts'
export { services as webhookServicesByName, webhookTemplates } from './notify/services/index.ts'
export { TemplateError } from './notify/template/template-error.ts'
export { clipped, durationText, nodeText, oneLine } from './notify/text.ts'
export type { Waiting } from './notify/waits.ts'
export * from './secret-destination.ts'
export * from './secret.ts'
export * from './security-score.ts'
export { backupLocation, ownersOf, ownersOfListed } from './derive/owners-of-backup.ts'
export { DueQueue } from './due-queue.ts'
export { isDatedAhead } from './dated-ahead.ts'
export { protectionWords, type ProtectionWord } from './protection-words.ts'
export * from './shell.ts'
export * from './sources/connection.ts'
export * from './sources/observation.ts'
export * from './sources/sender.ts'
export * from './cluster/spread.ts'
export type { Derivation } from './derive/derivation.ts'
export * from './estate.ts'
export { heard, type Moments, overdue } from './state/marks.ts'
export { NamedIds } from './state/named-ids.ts'
export * from './state/patch.ts'
export type { Tables } from './state/tables.ts'
export * from './shared-lists.ts'
export * from './subnets.ts'
export * from './text.ts'
export * from './usage.ts'
export * from './version.ts'
export * from './wall.ts'
export { atOnce, type InSteps, jsonInSteps } from './wire/in-steps.ts'
export * from './wire/plain.ts'
export { createFrameParser } from './wire/chunks.ts'
export * from './wire/read.ts'
export * from './wire/write.ts'
export { backupFields } from './search/backup-fields.ts'
export {
  compileContainerSearch,
  type ContainerPredicate,
  deadContainerTerms,
  type SearchedHost,
} from './search/container-search.ts'
export { deadTerms, type DeadTerm, type KnownFields } from './search/dead-terms.ts'
export { compileSearch, type SearchFields } from './search/search.ts'
export { compileGuestSearch, type GuestPredicate } from './search/guest-search.ts'
export { guestFields, type GuestMoment } from './search/guest-fields.ts'
export { isOfSites, type SiteOf, type SiteTerms, siteTerms, withSite } from './search/site.ts'
