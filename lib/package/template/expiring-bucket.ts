/** Returns a private bucket whose objects expire after so many days; `rule` names the rule. The bucket outlives its stack. */
export const expiringBucket = (rule: string, ExpirationInDays: number) => ({
  Type: 'AWS::S3::Bucket',
  DeletionPolicy: 'RetainExceptOnCreate',
  UpdateReplacePolicy: 'Retain',
  Properties: {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    LifecycleConfiguration: { Rules: [{ Id: rule, Status: 'Enabled', ExpirationInDays }] },
  },
})
