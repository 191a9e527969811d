// What the adapters use of the Objective-C run-time library, written by hand.
typedef signed char BOOL;
typedef struct objc_selector *SEL;

@protocol NSObject
- (BOOL)isEqual:(id _Nullable)other;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype _Nonnull)alloc;
- (instancetype _Nonnull)init;
@end

typedef enum __attribute__((enum_extensibility(open))) objc_AssociationPolicy : unsigned long {
  OBJC_ASSOCIATION_ASSIGN = 0,
  OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1,
  OBJC_ASSOCIATION_RETAIN = 01401
} objc_AssociationPolicy;

id _Nullable objc_getAssociatedObject(id _Nonnull object, const void * _Nonnull key);
void objc_setAssociatedObject(id _Nonnull object, const void * _Nonnull key, id _Nullable value, objc_AssociationPolicy policy);
