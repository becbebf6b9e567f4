import type { NotificationWords } from './words.ts'

/** Arabic. */
export const ar: NotificationWords = {
  identityVerified: {
    title: 'تم التحقق من هويتك',
    text: 'لا يلزمك أي إجراء آخر.',
  },
  identityRejected: {
    title: 'تعذّر التحقق من هويتك',
    text: 'يرجى إرسال مستنداتك من جديد.',
  },
  identityExpired: {
    title: 'انتهت صلاحية التحقق من هويتك',
    text: 'يرجى إرسال مستند ساري المفعول. وإلى ذلك الحين لا يرى العملاء إعلاناتك.',
  },
  identityExpiring: ({ until }) => ({
    title: 'تنتهي صلاحية التحقق من هويتك قريبًا',
    text: `يسري التحقق حتى ${until}. يرجى إرسال مستند ساري المفعول قبل ذلك.`,
  }),
  passwordChanged: ({ at }) => ({
    title: 'تم تغيير كلمة المرور',
    text: `جرى التغيير بتاريخ ${at}. إن لم يكن منك، فيرجى طلب كلمة مرور جديدة فورًا.`,
  }),
  passwordReset: ({ at, count }) => ({
    title: 'تمت إعادة تعيين كلمة المرور',
    text: `اختيرت كلمة مرور جديدة بتاريخ ${at} عبر رابط أُرسل بالبريد، وسُجّل الخروج من جميع الأجهزة. عدد مفاتيح API الملغاة: ${count}. إن لم يكن ذلك منك، فيرجى طلب كلمة مرور جديدة فورًا.`,
  }),
  emailChanged: ({ at }) => ({
    title: 'تم تغيير عنوان بريدك الإلكتروني',
    text: `لحسابك عنوان بريد إلكتروني جديد منذ ${at}. إن لم يكن ذلك منك، فيرجى استخدام الرابط المرسل إلى العنوان السابق.`,
  }),
  emailRestored: ({ at }) => ({
    title: 'استُعيد عنوان بريدك الإلكتروني',
    text: `تم التراجع عن تغيير عنوان بريدك الإلكتروني بتاريخ ${at}، وسُجّل الخروج من جميع الأجهزة. يرجى اختيار كلمة مرور جديدة عبر الرابط الذي أرسلناه إليك.`,
  }),
  signedInElsewhere: ({ at }) => ({
    title: 'تسجيل دخول جديد إلى حسابك',
    text: `سُجّل الدخول إلى حسابك بتاريخ ${at} من جهاز وشبكة لم نعرفهما من قبل. إن لم يكن ذلك منك، فيرجى إنهاء تلك الجلسة وتغيير كلمة المرور.`,
  }),
  sessionReused: ({ at }) => ({
    title: 'أنهينا جلسة لحماية حسابك',
    text: `استُخدم مفتاح سبق استخدامه في تلك الجلسة بتاريخ ${at}، وقد يعني ذلك أنه نُسخ. يرجى تسجيل الدخول من جديد، وتغيير كلمة المرور عند الشك.`,
  }),
  secondFactorAdded: ({ at }) => ({
    title: 'أُضيف عامل تحقق ثانٍ إلى حسابك',
    text: `أُضيف مفتاح مرور أو تطبيق مصادقة بتاريخ ${at}. إن لم يكن ذلك منك، فيرجى تغيير كلمة المرور فورًا وإزالته.`,
  }),
  secondFactorRemoved: ({ at }) => ({
    title: 'أُزيل عامل تحقق ثانٍ من حسابك',
    text: `أُزيل مفتاح مرور أو تطبيق مصادقة بتاريخ ${at}. إن لم يكن ذلك منك، فيرجى تغيير كلمة المرور فورًا.`,
  }),
  secondFactorToBeRemoved: ({ at }) => ({
    title: 'ستُزال عوامل التحقق الثانية من حسابك',
    text: `طُلب من فريق الدعم بتاريخ ${at} إزالتها، وسيتم ذلك بعد 24 ساعة. إن لم يكن ذلك منك، فيرجى تسجيل الدخول قبل ذلك بتطبيق المصادقة أو مفتاح المرور، فيُلغى الطلب، ثم تغيير كلمة المرور.`,
  }),
  secondFactorRefused: ({ at }) => ({
    title: 'رموز خاطئة عند تسجيل الدخول',
    text: `أُدخلت عشرة رموز خاطئة، آخرها بتاريخ ${at}، بعد كلمة مرورك الصحيحة. إن لم يكن ذلك منك، فيرجى تغيير كلمة المرور فورًا، فهناك من يعرفها.`,
  }),
  apiKeyMade: ({ at }) => ({
    title: 'أُنشئ مفتاح لواجهة البرمجة',
    text: `أُنشئ بتاريخ ${at} مفتاح يعمل باسمك. إن لم يكن ذلك منك، فيرجى حذفه وتغيير كلمة المرور.`,
  }),
  apiKeyDeleted: ({ at }) => ({
    title: 'حُذف مفتاح لواجهة البرمجة',
    text: `حُذف بتاريخ ${at} مفتاح كان يعمل باسمك. ما كان يستخدمه لم يعد يعمل.`,
  }),
  listingPublished: ({ listing }) => ({
    title: `نُشر إعلان «${listing}»`,
    text: 'يمكن للعملاء العثور عليه الآن.',
  }),
  listingRejected: ({ listing }) => ({
    title: `لم يُقبل إعلان «${listing}»`,
    text: 'يمكنك تعديله وتقديمه من جديد.',
  }),
  listingSuspended: ({ listing }) => ({
    title: `أُوقف إعلان «${listing}»`,
    text: 'أوقف أحد المشرفين هذا الإعلان، ولم يعد العملاء يرونه.',
  }),
  revisionPublished: ({ listing }) => ({
    title: `نُشرت تعديلاتك على إعلان «${listing}»`,
    text: 'يراها العملاء الآن.',
  }),
  revisionRejected: ({ listing }) => ({
    title: `لم تُقبل تعديلاتك على إعلان «${listing}»`,
    text: 'يبقى الإعلان منشورًا كما كان.',
  }),
  enquiryReceived: ({ person, listing }) => ({
    title: `استفسار جديد عن «${listing}»`,
    text: `المرسل: ${person}.`,
  }),
  enquiryAnswered: ({ person, listing }) => ({
    title: `رسالة جديدة عن «${listing}»`,
    text: `المرسل: ${person}.`,
  }),
  visitSet: ({ person, listing, visit }) => ({
    title: `حُدد موعد لزيارة «${listing}»`,
    text: `الموعد ${visit}، مع ${person}.`,
  }),
  visitCancelled: ({ person, listing }) => ({
    title: `أُلغيت زيارة «${listing}»`,
    text: `جاء الإلغاء من ${person}. يمكنك الكتابة للاتفاق على موعد آخر.`,
  }),
  listingTaken: ({ listing }) => ({
    title: `لم يعد «${listing}» متاحًا`,
    text: 'بيع العقار أو أُجّر، وأُغلق استفسارك. لا يزال بإمكانك الكتابة.',
  }),
  paymentSucceeded: ({ amount, receipt }) => ({
    title: `تمت دفعتك بمبلغ ${amount}`,
    text: `رقم الإيصال: ${receipt}`,
  }),
  refundStarted: ({ amount }) => ({
    title: `بدأ ردّ مبلغ ${amount}`,
    text: 'قد تمر بضعة أيام قبل أن يصل المبلغ إلى حسابك.',
  }),
  refundDone: ({ amount }) => ({
    title: `تم ردّ مبلغ ${amount}`,
    text: 'أُعيد المبلغ بالطريقة التي دُفع بها.',
  }),
  refundFailed: ({ amount }) => ({
    title: `تعذّر ردّ مبلغ ${amount}`,
    text: 'نعمل على حل ذلك، ولا يلزمك أي إجراء.',
  }),
  paymentDisputed: ({ amount }) => ({
    title: `نزاع بشأن دفعتك بمبلغ ${amount}`,
    text: 'فتح مصرفك أو مزوّد خدمة الدفع نزاعًا، ويبقى المبلغ محجوزًا حتى صدور القرار.',
  }),
  paymentChargedBack: ({ amount }) => ({
    title: `أُغلق النزاع بشأن دفعتك بمبلغ ${amount}`,
    text: 'حُسم النزاع لصالحك، ويُعاد إليك المبلغ المتنازع عليه.',
  }),
  paymentReceived: ({ person, amount, listing }) => ({
    title: `دفعة بمبلغ ${amount} عن «${listing}»`,
    text: `الدافع: ${person}.`,
  }),
  requestPaid: ({ person, amount, listing }) => ({
    title: `دُفع طلبك بمبلغ ${amount}`,
    text: `الدافع: ${person}، عن «${listing}».`,
  }),
  receivedRefunded: ({ amount, listing }) => ({
    title: `ردّ مبلغ ${amount} عن «${listing}»`,
    text: 'أُعيد هذا المبلغ إلى الدافع.',
  }),
  receivedDisputed: ({ amount, listing }) => ({
    title: `نزاع بشأن دفعة عن «${listing}»`,
    text: `فتح مصرف الدافع أو مزوّد خدمة الدفع نزاعًا بشأن دفعة بمبلغ ${amount}.`,
  }),
  receivedChargedBack: ({ amount, listing }) => ({
    title: `استُرجعت دفعة عن «${listing}»`,
    text: `حُسم النزاع بشأن دفعة بمبلغ ${amount} لصالح الدافع.`,
  }),
  payoutPaid: ({ amount }) => ({
    title: `تم دفع مستحقاتك بمبلغ ${amount}`,
    text: 'المبلغ في طريقه إلى حسابك.',
  }),
  payoutFailed: ({ amount }) => ({
    title: `تعذر دفع مستحقاتك بمبلغ ${amount}`,
    text: 'عاد المبلغ إلى رصيدك. يرجى التحقق من حساب الدفع الخاص بك.',
  }),
  payoutAccountChanged: ({ at }) => ({
    title: 'تم تغيير حساب الدفع الخاص بك',
    text: `تم التغيير في ${at}. إذا لم تكن أنت من فعل ذلك، فغيّر كلمة المرور فورًا وراسلنا.`,
  }),
  paymentRequested: ({ person, amount, listing }) => ({
    title: `مطلوب منك دفع ${amount}`,
    text: `مقدّم الطلب: ${person}، عن «${listing}».`,
  }),
  paymentRequestDue: ({ person, amount, listing, until }) => ({
    title: `حلّ موعد دفع ${amount}`,
    text: `مقدّم الطلب: ${person}، عن «${listing}»، قبل ${until}.`,
  }),
  paymentRequestOverdue: ({ person, amount, listing }) => ({
    title: `تأخر دفع ${amount}`,
    text: `ما زال الطلب قائمًا من ${person} عن «${listing}». لا يزال بإمكانك الدفع.`,
  }),
  favouriteReduced: ({ listing, amount, before }) => ({
    title: `سعر «${listing}» الآن ${amount}`,
    text: `السعر السابق: ${before}`,
  }),
  favouriteTaken: ({ listing }) => ({
    title: `بيع عقار «${listing}» أو أُجّر`,
    text: 'هذا العقار من مفضلتك لم يعد متاحًا.',
  }),
  favouriteGone: ({ listing }) => ({
    title: `إعلان «${listing}» لم يعد منشورًا`,
    text: 'هذا الإعلان من مفضلتك غير ظاهر حاليًا.',
  }),
  searchMatched: ({ search, count }) => ({
    title: `إعلانات جديدة لبحث «${search}»`,
    text: `عدد الإعلانات: ${count}`,
  }),
  listingReportActed: {
    title: 'شكرًا على بلاغك',
    text: 'راجعنا الإعلان الذي أبلغت عنه، واتخذنا ما يلزم.',
  },
  enquiryReportActed: {
    title: 'شكرًا على بلاغك',
    text: 'راجعنا الاستفسار الذي أبلغت عنه، واتخذنا ما يلزم.',
  },
}
