import { expiringBucket } from './expiring-bucket.ts'
import type { Template } from './template.ts'

const LOG_BUCKET = 'DocumentsLogBucket'
const LOG_POLICY = 'DocumentsLogBucketPolicy'

/**
 * Keeps S3's own log of who read, wrote or removed which document, for so many days and in a bucket of its own, which no
 * function can reach.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html
 */
export function logDocuments(template: Template, ExpirationInDays: number): void {
  const { DocumentsBucket } = template.Resources
  if (!DocumentsBucket) return
  DocumentsBucket.Properties['LoggingConfiguration'] = {
    DestinationBucketName: { Ref: LOG_BUCKET },
    LogFilePrefix: 'documents/',
  }
  // S3 refuses a destination that it may not write to yet, so the documents' bucket depends on the policy. The policy
  // cannot name that bucket in return.
  DocumentsBucket.DependsOn = [DocumentsBucket.DependsOn ?? [], LOG_POLICY].flat()
  // S3 writes its log only to a bucket that is encrypted with S3's own key, as `expiringBucket` encrypts it.
  template.Resources[LOG_BUCKET] = expiringBucket('old-lines', ExpirationInDays)
  const bucket = { 'Fn::GetAtt': [LOG_BUCKET, 'Arn'] }
  const objects = { 'Fn::Sub': `\${${LOG_BUCKET}.Arn}/*` }
  template.Resources[LOG_POLICY] = {
    Type: 'AWS::S3::BucketPolicy',
    Properties: {
      Bucket: { Ref: LOG_BUCKET },
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'logging.s3.amazonaws.com' },
            Action: 's3:PutObject',
            Resource: objects,
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 's3:*',
            Resource: [bucket, objects],
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    },
  }
}
